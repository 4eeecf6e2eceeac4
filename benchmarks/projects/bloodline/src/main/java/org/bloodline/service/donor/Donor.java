package org.bloodline.service.donor;

import java.time.LocalDate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "donor")
public class Donor {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Column(name = "donor_id")
    private Long id;

    @Column(name = "donor_no", nullable = false)
    private String donorNo;

    @Column(name = "full_name", nullable = false)
    private String fullName;

    @Column(name = "born_on", nullable = false)
    private LocalDate bornOn;

    @Column(name = "blood_group")
    private String bloodGroup;

    public Long getId() {
        return id;
    }

    public String getDonorNo() {
        return donorNo;
    }

    public String getFullName() {
        return fullName;
    }

    public LocalDate getBornOn() {
        return bornOn;
    }

    public String getBloodGroup() {
        return bloodGroup;
    }
}
